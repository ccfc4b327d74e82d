import { printLine } from '../support/table.ts'

export interface Figure {
  readonly name: string
  readonly value: number
  /** How it may grow with the services; null: it says nothing about that. */
  readonly grows: 'not' | 'linear' | null
}

function shown(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3
  return value.toFixed(digits)
}

/** Beyond this a figure grows faster than it may. */
const tolerated = 1.5

function ratioOf(value: number, base: number, grows: Figure['grows'], factor: number): string {
  if (grows === null || base === 0) return ''
  const ratio = grows === 'linear' ? value / base / factor : value / base
  return `${ratio.toFixed(2)}×${ratio > tolerated ? '!' : ''}`
}

/**
 * A column of values for each size, and beside it the ratio to those of the reference. The ratio of a figure that grows
 * linearly is that of its share per service: 1 means that it grows as it should.
 */
export function printFigures(bySize: ReadonlyMap<number, readonly Figure[]>, reference: number): void {
  const sizes = [...bySize.keys()]
  const base = bySize.get(reference) ?? [...bySize.values()][0] ?? []
  printLine(
    'services',
    sizes.flatMap((size) => [size.toLocaleString('en'), '']),
  )
  for (const { name, value: atBase, grows } of base) {
    const columns = sizes.flatMap((size) => {
      const value = bySize.get(size)?.find((figure) => figure.name === name)?.value
      if (value === undefined) return ['', '']
      return [shown(value), size === reference ? '' : ratioOf(value, atBase, grows, size / reference)]
    })
    printLine(name, columns)
  }
}
