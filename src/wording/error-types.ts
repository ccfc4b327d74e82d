export function errorTypeText(symbol: string, language: string) {
  return { name: symbol, description: language, diagnosis: symbol }
}
