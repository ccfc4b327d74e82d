/**
 * True if the whole text matches the pattern, in which `*` stands for anything. Linear in the text for each star,
 * whatever the page's title is.
 */
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

/** Compares titles as people read them: whitespace of the source does not count. */
export function matchesTitle(title: string, pattern: string): boolean {
  return title === pattern || matchesPattern(oneLine(title), oneLine(pattern))
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ')
}

/** The pattern may be relative to the service's address; one that begins with `*` matches any site. */
export function matchesUrl(url: string, pattern: string, base: URL): boolean {
  if (url === pattern) return true
  if (pattern.startsWith('*')) return matchesPattern(url, pattern)
  return matchesPattern(url, URL.canParse(pattern, base.href) ? new URL(pattern, base).href : pattern)
}
