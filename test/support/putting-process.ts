/** Puts ever new artifacts until it is killed, and says after each that it is safe. */
import { randomBytes } from 'node:crypto'
import { diskArtifacts } from '../../src/database/artifacts/disk.ts'

const store = diskArtifacts(process.argv[2] ?? '')
const most = 10_000

async function putOn(serviceId: number): Promise<void> {
  for (let turn = 0; turn < most; turn += 1) {
    const key = await store.put(randomBytes(300_000), { serviceId, decidedAt: Date.UTC(2026, 10, 21) })
    process.stdout.write(`${key}\n`)
  }
}

await Promise.all([1, 2, 3, 4].map(putOn))
