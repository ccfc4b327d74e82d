/** A text in letters without marks: `Łódź` is `Lodz`. Other characters stay. */
export function plainLetters(text: string): string {
  return text.replaceAll('ł', 'l').replaceAll('Ł', 'L').normalize('NFKD').replaceAll(/\p{M}/gu, '')
}
