/**
 * Characters that people do not see, which can carry instructions or turn a text around: controls, formats (zero-width,
 * bidirectional, tags), private use, halves of pairs, and variation selectors.
 */
const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Variation_Selector}]/gu

/** A text of others as people see it. */
export function cleanText(text: string): string {
  return text.replaceAll(/\r\n?|[\u2028\u2029]/g, '\n').replaceAll(hidden, '')
}
