/** The two posts of a hold point, and the name. */
export function Brand() {
  return (
    <p class="brand">
      <svg width="26" height="26" viewBox="0 0 64 64" aria-hidden="true">
        <rect class="ground" width="64" height="64" rx="15" />
        <rect class="post" x="20" y="15" width="8" height="34" rx="4" />
        <rect class="post waiting" x="36" y="15" width="8" height="34" rx="4" />
      </svg>
      Holdpoint
    </p>
  );
}
