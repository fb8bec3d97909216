/** The error of an action, shown beside it. */
export function FailureNote({ text }: { readonly text: string | undefined }) {
  return (
    <div role="alert" class="failure" hidden={text === undefined}>
      {text}
    </div>
  );
}
