/** The lighthouse of `icon.svg`, in the colours of the page. */
export function Logo() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <path fill="#f2b134" d="M13 9 1 4v10zM19 9l12-5v10z" />
      <path fill="var(--accent)" d="M12 6l4-4 4 4v6h-8z" />
      <path fill="currentColor" d="M12 13h8l3 17H9z" />
      <path fill="var(--surface)" d="M11.3 18h9.4l.6 4H10.7z" />
    </svg>
  )
}
