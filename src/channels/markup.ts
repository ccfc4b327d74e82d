/** Of what tells good from bad news; null: neither. */
export function colorOf(condition: string): string | null {
  return colors[condition] ?? null
}

const colors: Readonly<Record<string, string>> = { failure: '#c62828', recovery: '#2e7d32' }

/** Text within HTML, and within its attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** Text within Markdown; addresses stay as they are, so that they can be followed. */
export function escapeMarkdown(text: string): string {
  // What an address has no need for ends it: a name like `https://a[b](https://c)` is no way around.
  const parts = text.split(/(https?:\/\/[^\s<>[\]`\\]+)/)
  return parts.map((part, index) => (index % 2 === 1 ? part : withoutMarks(part))).join('')
}

/** Names that are called by `@` are shown and not called. */
export function withoutMentions(text: string): string {
  return text.replace(/(?<!\w)@(?=\w)/g, '@\u200b')
}

function withoutMarks(text: string): string {
  return text.replace(/[\\*_~`|[\]<>]/g, '\\$&').replace(/^(\s*)([#+-])/gm, '$1\\$2')
}
