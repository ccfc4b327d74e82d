/** HTML that is safe to send: made by `markup` alone. */
export interface Markup {
  readonly html: string
}

type Inserted = string | number | Markup | readonly Markup[]

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function inserted(value: Inserted): string {
  if (typeof value === 'string') return value.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? '')
  if (typeof value === 'number') return String(value)
  return 'html' in value ? value.html : value.map(({ html }) => html).join('')
}

/** A template of HTML: whatever is inserted is text, unless it is markup itself. */
export function markup(texts: TemplateStringsArray, ...values: readonly Inserted[]): Markup {
  return { html: texts.map((text, index) => (index === 0 ? '' : inserted(values[index - 1] ?? '')) + text).join('') }
}
