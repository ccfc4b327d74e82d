import { connectionOptions } from '../../message-bus/nats-carrier.ts'
import { attempt, type Finding } from './finding.ts'

const patienceMs = 5000

/** Logs in at the broker as the program would. */
export function examineBroker(servers: readonly string[]): Promise<Finding> {
  return attempt('Broker', async () => {
    const { connect } = await import('@nats-io/transport-node')
    const connection = await connect({ ...connectionOptions(servers), timeout: patienceMs, reconnect: false })
    try {
      const tookMs = await connection.rtt()
      return `${connection.getServer()} (NATS ${connection.info?.version ?? ''}) answers in ${tookMs.toFixed(0)} ms`
    } finally {
      await connection.close()
    }
  })
}
