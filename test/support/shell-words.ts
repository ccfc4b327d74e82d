/** The words of a command as a shell reads them: quotes, escapes and `$NAME`; nothing is run. */
export function shellWords(text: string, variables: Readonly<Record<string, string>>): readonly string[] {
  const parts = /'([^']*)'|"([^"]*)"|\\\n|\\(.)|(\s+)|([^\s'"\\]+)/y
  const words: string[] = []
  let word: string | null = null
  while (parts.lastIndex < text.length) {
    const [whole, single, double, escaped, space, plain] = parts.exec(text) ?? [null]
    if (whole === null) throw new Error(`Not a command: ${text}`)
    if (whole === '\\\n') continue
    if (space !== undefined) {
      if (word !== null) words.push(word)
      word = null
    } else {
      const expanded = (double ?? plain)?.replaceAll(/\$([A-Z_]+)/g, (_whole, name: string) => variables[name] ?? '')
      word = (word ?? '') + (single ?? escaped ?? expanded ?? '')
    }
  }
  return word === null ? words : [...words, word]
}
