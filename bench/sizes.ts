/**
 * How the costs of an installation grow with its services: rounds every 60 s with stations that answer at once, the
 * requests of the console, a report, a backup and packing, for 1,000, 10,000 and 100,000 services, as ratios to 10,000.
 * SIZES names other sizes, SIZES_PARTS some of the parts. With SIZES_INTERVAL=600 rounds are ten times as rare: so a
 * small machine can do those of very many services.
 */
import { type Figure, printFigures } from './sizes/figures.ts'
import { measureKeeping } from './sizes/keeping.ts'
import { measurePacking } from './sizes/packing.ts'
import { populate } from './sizes/population.ts'
import { measureRequests } from './sizes/requests.ts'
import { measureRounds } from './sizes/rounds.ts'
import { type BenchDatabase, benchDatabase } from './support/bench-database.ts'

const reference = 10_000
const sizes = (process.env['SIZES'] ?? '1000,10000,100000').split(',').map(Number)

const parts: Readonly<Record<string, (bench: BenchDatabase, services: number) => Promise<Figure[]>>> = {
  rounds: measureRounds,
  requests: measureRequests,
  keeping: measureKeeping,
  packing: measurePacking,
}
const wanted = (process.env['SIZES_PARTS'] ?? Object.keys(parts).join(',')).split(',')

async function measure(services: number): Promise<Figure[]> {
  const bench = await benchDatabase()
  try {
    const startedAt = performance.now()
    await populate(bench.database, services)
    console.log(`  ${services} services were made in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
    const figures: Figure[] = []
    for (const name of wanted) figures.push(...((await parts[name]?.(bench, services)) ?? []))
    return figures
  } finally {
    await bench.close()
  }
}

export async function run(): Promise<void> {
  const bySize = new Map<number, readonly Figure[]>()
  for (const services of sizes) bySize.set(services, await measure(services))
  printFigures(bySize, sizes.includes(reference) ? reference : (sizes[0] ?? reference))
}
