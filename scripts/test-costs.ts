import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

/** A process as /proc describes it: its parent, and the seconds of CPU that it and its ended children used. */
interface Used {
  readonly parent: number
  readonly seconds: number
}

const ticksPerSecond = 100

function usedBy(pid: string): Used | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0)
    return { parent: Number(fields[1]), seconds: ticks / ticksPerSecond }
  } catch {
    return null
  }
}

/** The CPU seconds of this run's processes. Processes that left their parent stay counted once they were seen. */
class ProcessTree {
  readonly #known = new Map<number, Used>()
  /** The seconds of processes that ended after their parent; no other sum contains them. */
  #ofOrphans = 0

  seconds(): number {
    const all = new Map<number, Used>()
    for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
      const used = usedBy(name)
      if (used !== null) all.set(Number(name), used)
    }
    for (const [pid, used] of all) if (this.#isOurs(pid, all)) this.#known.set(pid, used)
    for (const [pid, { parent, seconds }] of this.#known) {
      if (all.has(pid)) continue
      // A reaped process is in its parent's sum from then on.
      if (!all.has(parent)) this.#ofOrphans += seconds
      this.#known.delete(pid)
    }
    return [...this.#known.values()].reduce((sum, one) => sum + one.seconds, this.#ofOrphans)
  }

  #isOurs(pid: number, all: ReadonlyMap<number, Used>): boolean {
    for (let one = pid; one > 1; one = all.get(one)?.parent ?? 0) {
      if (one === process.pid || this.#known.has(one)) return true
    }
    return false
  }
}

interface Cost {
  readonly file: string
  readonly tests: number
  readonly cpu: number
  readonly wall: number
}

/**
 * Says what each test file costs: `npx vitest run FOLDER --maxWorkers=1 --reporter=./scripts/test-costs.ts`.
 * A file's CPU seconds are those of all processes of the run since the file before it. Only on Linux.
 */
export default class implements Reporter {
  readonly #tree = new ProcessTree()
  readonly #costs: Cost[] = []
  readonly #startedAt = performance.now()
  #hasBegun = false
  #last = { cpu: 0, wall: 0 }

  onTestModuleQueued(): void {
    if (this.#hasBegun) return
    this.#hasBegun = true
    this.#last = this.#now()
    console.log(`before the first file: ${this.#last.cpu.toFixed(1)} s of CPU, ${this.#last.wall.toFixed(1)} s`)
  }

  onTestModuleEnd(module: TestModule): void {
    const now = this.#now()
    const { cpu, wall } = this.#last
    const tests = [...module.children.allTests()].length
    this.#costs.push({ file: module.relativeModuleId, tests, cpu: now.cpu - cpu, wall: now.wall - wall })
    this.#last = now
    console.log(`${(now.cpu - cpu).toFixed(1)} s of CPU: ${module.relativeModuleId}`)
  }

  onTestRunEnd(): void {
    const costs = this.#costs.toSorted((one, other) => other.cpu - one.cpu)
    for (const { file, tests, cpu, wall } of costs) {
      console.log(
        `${cpu.toFixed(1).padStart(7)} s CPU ${wall.toFixed(1).padStart(7)} s ${String(tests).padStart(5)} ${file}`,
      )
    }
    const sum = (of: 'cpu' | 'wall' | 'tests'): number => costs.reduce((total, one) => total + one[of], 0)
    console.log(
      `${sum('cpu').toFixed(1).padStart(7)} s CPU ${sum('wall').toFixed(1).padStart(7)} s ${sum('tests')} tests`,
    )
    const path = process.env['TEST_COSTS']
    if (path !== undefined) writeFileSync(path, JSON.stringify(costs))
  }

  #now(): { readonly cpu: number; readonly wall: number } {
    return { cpu: this.#tree.seconds(), wall: (performance.now() - this.#startedAt) / 1000 }
  }
}
