/** The marks for good and bad news; null: neither. */
export function colorOf(condition: string): string | null {
  return colors[condition] ?? null
}

const colors: Readonly<Record<string, string>> = {
  ...{ failure: '#c62828', recovery: '#2e7d32' },
  ...{ degraded: '#b26a00', degraded_end: '#2e7d32' },
}

/** Escapes a text for HTML and its attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** Escapes a text for Markdown; addresses are unchanged, so that they can be followed. */
export function escapeMarkdown(text: string): string {
  // An address ends before a character that it does not need, so a name like `https://a[b](https://c)` cannot inject a
  // link.
  const parts = text.split(/(https?:\/\/[^\s<>[\]`\\]+)/)
  return parts.map((part, index) => (index % 2 === 1 ? part : withoutMarks(part))).join('')
}

/** Shows names after an `@` without notifying their owners. */
export function withoutMentions(text: string): string {
  return text.replace(/(?<!\w)@(?=\w)/g, '@\u200b')
}

function withoutMarks(text: string): string {
  return text.replace(/[\\*_~`|[\]<>]/g, '\\$&').replace(/^(\s*)([#+-])/gm, '$1\\$2')
}
