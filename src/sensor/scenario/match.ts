/** Whether the text is the pattern, in which `*` stands for anything. Linear for each star, whatever the page makes of its title. */
export function matchesPattern(text: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return text === pattern
  const last = rest.pop() ?? ''
  if (!text.startsWith(first)) return false
  let place = first.length
  for (const part of rest) {
    const found = text.indexOf(part, place)
    if (found < 0) return false
    place = found + part.length
  }
  return text.length - last.length >= place && text.endsWith(last)
}

/** As a person reads it: the spaces of the source do not count. */
export function matchesTitle(title: string, pattern: string): boolean {
  return title === pattern || matchesPattern(oneLine(title), oneLine(pattern))
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ')
}

/** The pattern may be relative to the address of the service; one that begins with `*` is of any site. */
export function matchesUrl(url: string, pattern: string, base: URL): boolean {
  if (url === pattern) return true
  if (pattern.startsWith('*')) return matchesPattern(url, pattern)
  return matchesPattern(url, URL.canParse(pattern, base.href) ? new URL(pattern, base).href : pattern)
}
