/**
 * Installs the service worker, and reports when a version of the chat is ready that is not the one on the screen.
 *
 * The page itself comes from the server while the server answers. A worker that waits with the version of this page
 * therefore begins without a question; one with another version waits for the person.
 */
export interface VersionWatch {
  /** Another version is ready; `reload` shows it. */
  readonly onOther: (reload: () => void) => void;
}

/** The browser asks for a new worker at each navigation; an installed chat may stay open for days. */
const LOOK_EVERY_MS = 3_600_000;

export async function startServiceWorker({ onOther }: VersionWatch): Promise<void> {
  const { serviceWorker } = navigator;
  const shown = document.querySelector<HTMLMetaElement>('meta[name="version"]')?.content;
  // A browser has service workers only on HTTPS and on this machine.
  if (serviceWorker === undefined || shown === undefined) return;
  const registration = await serviceWorker.register('/sw.js', { updateViaCache: 'none' });

  const lookAtWaiting = async () => {
    const { waiting } = registration;
    if (waiting === null) return;
    if ((await versionOf(waiting)) === shown) return waiting.postMessage('begin', []);
    onOther(() => {
      serviceWorker.addEventListener('controllerchange', () => location.reload());
      waiting.postMessage('begin', []);
    });
  };
  /** Another window may have let the new version begin. */
  const lookAtActive = async () => {
    const { controller } = serviceWorker;
    if (controller !== null && (await versionOf(controller)) !== shown) {
      onOther(() => location.reload());
    }
  };
  registration.addEventListener('updatefound', () => {
    const { installing } = registration;
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed') void lookAtWaiting();
    });
  });
  serviceWorker.addEventListener('controllerchange', () => void lookAtActive());
  let lookedAt = Date.now();
  addEventListener('visibilitychange', () => {
    if (document.hidden || Date.now() - lookedAt < LOOK_EVERY_MS) return;
    lookedAt = Date.now();
    // Without a network there is nothing new.
    registration.update().catch(() => undefined);
  });
  await lookAtWaiting();
}

function versionOf(worker: ServiceWorker): Promise<unknown> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((answered) => {
    port1.addEventListener('message', ({ data }) => answered(data));
    port1.start();
    worker.postMessage('version', [port2]);
  });
}
