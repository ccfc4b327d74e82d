/** The whole number that a text is; any other text stays as it is, so that the API says what is wrong with it. */
export function wholeNumber(text: string): number | string {
  return /^-?\d+$/.test(text.trim()) ? Number(text) : text
}
