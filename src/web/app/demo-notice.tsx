/** A scripted agent must not pass for a model (RUN-9). */
export function DemoNotice() {
  return (
    <p class="demo">
      <strong>Demo mode:</strong> scripted agent, no model connected.
      <span class="wide-only"> Set ANTHROPIC_API_KEY to talk to one.</span>
    </p>
  );
}
