/** A text in small letters without marks: `Łódź` becomes `lodz`. */
export function plainLetters(text: string): string {
  return text
    .replaceAll(/[łŁ]/g, 'l')
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()
}
