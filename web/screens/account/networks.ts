/** An address as a number, and how many bits it has; null: it is none. */
function parsed(text: string): { readonly value: bigint; readonly bits: number } | null {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) {
    const parts = text.split('.').map(Number)
    if (parts.some((part) => part > 255)) return null
    return { value: parts.reduce((whole, part) => whole * 256n + BigInt(part), 0n), bits: 32 }
  }
  if (!URL.canParse(`http://[${text}]/`)) return null
  // The browser writes every form of an address in the same way.
  const written = new URL(`http://[${text}]/`).hostname.slice(1, -1)
  const [head = '', tail] = written.split('::')
  const words = (part: string | undefined) => (part ? part.split(':') : [])
  const [before, after] = [words(head), words(tail)]
  const gap = tail === undefined ? [] : Array<string>(8 - before.length - after.length).fill('0')
  const value = [...before, ...gap, ...after].reduce(
    (whole, part) => whole * 65_536n + BigInt(Number.parseInt(part, 16)),
    0n,
  )
  return { value, bits: 128 }
}

/** Whether one line of the filter lets an address in. */
export function lets(line: string, address: string): boolean {
  const [network = '', length] = line.trim().split('/')
  const [wide, own] = [parsed(network), parsed(address)]
  if (wide === null || own === null || wide.bits !== own.bits) return false
  const prefix = length === undefined ? wide.bits : Number(length)
  if (!Number.isInteger(prefix) || prefix < 0 || prefix > wide.bits) return false
  const shift = BigInt(wide.bits - prefix)
  return wide.value >> shift === own.value >> shift
}
