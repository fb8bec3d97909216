/** What could not be done, where it was asked for. */
export function FailureNote({ text }: { readonly text: string | undefined }) {
  return (
    <div role="alert" class="failure" hidden={text === undefined}>
      {text}
    </div>
  );
}
