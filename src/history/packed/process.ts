/**
 * The child process that packs closed days: compressing would hold up the rounds of its parent. Reads what to do from its standard input
 * (the address of the database may hold a password), answers with a JSON line, and gives way to everybody.
 */
import { constants, setPriority } from 'node:os'
import { text } from 'node:stream/consumers'
import { connect } from '../../database/connect.ts'
import type { PartitionMode } from '../../database/partitions.ts'
import { packClosedDays } from './pack-days.ts'

export interface PackingOrder {
  readonly url: string
  readonly nowAt: number
  readonly mode?: PartitionMode
}

/**
 * A tenth of what others get on a CPU that all want. The lowest priority gets a seventieth: on a busy machine packing never came to its
 * end, and its transactions stayed open for minutes.
 */
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
const { url, ...packing } = JSON.parse(await text(process.stdin)) as PackingOrder
const database = connect({ url, maximumConnections: 2 })
try {
  process.stdout.write(`${JSON.stringify(await packClosedDays(database, packing))}\n`)
} finally {
  await database.close()
}
