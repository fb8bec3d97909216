/** The form of a target, over targets that a test plays. */
import { page } from 'vitest/browser';
import { useState } from 'preact/hooks';
import type { Location } from '../../../src/web/model/location.ts';
import { SettingsScreen } from '../../../src/web/settings/settings.tsx';
import { handClock } from '../../support/web/hand-clock.ts';
import { mount } from '../../support/web/mount.ts';
import { personWith } from '../../support/web/person.ts';
import { NO_INBOX, type PlayedTargets } from '../../support/web/played-targets.ts';

const OLGA = personWith('admin');

export const button = (name: string) => page.getByRole('button', { name, exact: true });

export const dialog = (name: string) => page.getByRole('dialog', { name });

export function show(played: PlayedTargets, target?: string) {
  const clock = handClock();
  const Page = () => {
    const [location, go] = useState<Location>({
      settings: 'targets',
      ...(target !== undefined && { target }),
    });
    return (
      <div class="chat alone">
        <div class="stage">
          <SettingsScreen
            {...{ location, clock, transport: NO_INBOX }}
            person={OLGA}
            onGo={go}
            onMenu={() => undefined}
            targets={() => played}
          />
        </div>
      </div>
    );
  };
  return mount(<Page />);
}

export async function openForm(type: string) {
  await button('Add target').click();
  const form = dialog('Add target');
  await form.getByRole('radio', { name: type }).click();
  return form;
}
