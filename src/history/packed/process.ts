/**
 * The child process that packs closed days, because compressing would block its parent's rounds. It reads its task from
 * standard input (the address of the database may hold a password), answers with a JSON line, and runs at low priority.
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
 * A tenth of others' share of a contended CPU. The lowest priority gets a seventieth: on a busy machine packing would
 * never finish, and its transactions would stay open for minutes.
 */
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
const { url, ...packing } = JSON.parse(await text(process.stdin)) as PackingOrder
const database = connect({ url, maximumConnections: 2 })
try {
  process.stdout.write(`${JSON.stringify(await packClosedDays(database, packing))}\n`)
} finally {
  await database.close()
}
