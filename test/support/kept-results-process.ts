// Keeps results while no file may grow beyond the limit that this process was started with, and later when it may: like
// a disk that is full for a while.
import { execFileSync } from 'node:child_process'
import { KeptResults } from '../../src/sensor/far/kept-results.ts'
import { wireResult } from '../../src/sensor/far/wire-results.ts'
import { unanswered } from '../../src/sensor/probing-process.ts'
import { jobFor } from './check.ts'

const [directory = ''] = process.argv.slice(2)
const said: string[] = []
const log = (_level: string, message: string) => void said.push(message)
const kept = new KeptResults({ directory, maximumCount: 1000, maximumBytes: 1_000_000, log })

function keep(id: string): void {
  kept.add(wireResult(id, unanswered(jobFor('http', 'shop.example'), 'sensor_late', 'late'), 1))
  kept.write()
}

const ids = Array.from({ length: 10 }, (_none, number) => `full-${number}`)
for (const id of ids) keep(id)
execFileSync('prlimit', ['--pid', String(process.pid), '--fsize=unlimited'])
keep('room')
process.stdout.write(JSON.stringify(said))
// Dies without closing anything.
process.exit(0)
