/** The mark of the product: three layers. */
export function Mark() {
  return (
    <svg class="mark" width="28" height="28" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d="M7 12l9-4.500L25 12l-9 4.500z M7 17l9 4.500L25 17 M7 21.500L16 26l9-4.500" />
    </svg>
  );
}
