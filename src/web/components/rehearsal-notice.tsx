/** Nobody may take written scenes for a model (RUN-9). */
export function RehearsalNotice() {
  return (
    <p class="rehearsal">
      <strong>Rehearsal.</strong> Written scenes, no model.
      <span class="wide-only"> Set ANTHROPIC_API_KEY to talk to one.</span>
    </p>
  );
}
