/** The agent is at work and nobody is asked (PEND-6). Its room is kept, so that nothing jumps when it comes and goes. */
export function TypingIndicator({ text }: { readonly text: string | undefined }) {
  return (
    <div class="typing" aria-hidden="true">
      {text !== undefined && (
        <>
          <span class="dots">
            <i />
            <i />
            <i />
          </span>
          {text}
        </>
      )}
    </div>
  );
}
