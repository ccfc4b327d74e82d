import { type DeliveryContext, deliver } from './deliver.ts'
import type { Claim } from './parcel.ts'

/** Milliseconds between looks at the table; a NOTIFY only makes the next look earlier. */
const patrolPause = 2000

export interface Courier {
  wake(): void
  /** Resolves when nothing is due and nothing is under way. */
  drain(): Promise<void>
  /** Claims nothing more; resolves when what is under way has ended. */
  stop(): Promise<void>
}

/**
 * Delivers the parcels of one gateway, at most `concurrency` at once. Each gateway has its own courier, so a slow one holds up
 * nobody else.
 */
export function startCourier(context: DeliveryContext, claimParcels: Claim, concurrency: number): Courier {
  const underWay = new Set<Promise<void>>()
  const alarm = newAlarm()
  let isStopped = false
  let isDatabaseMissed = false
  let turn: Promise<unknown> = Promise.resolve()

  async function claim(): Promise<number> {
    const free = concurrency - underWay.size
    if (free <= 0 || isStopped) return 0
    const parcels = await claimParcels(context.clock.now(), free)
    for (const parcel of parcels) {
      const delivery: Promise<void> = deliver(context, parcel)
        .catch((error: unknown) => context.log.error({ err: error }, 'the end of a delivery was not recorded'))
        .finally(() => {
          underWay.delete(delivery)
          alarm.ring()
        })
      underWay.add(delivery)
    }
    return parcels.length
  }

  /** One claim at a time, else two would both count on the same free places. */
  function claimInTurn(): Promise<number> {
    const next = turn.then(claim, claim)
    turn = next.catch(() => undefined)
    return next
  }

  async function patrol(): Promise<void> {
    while (!isStopped) {
      let claimed = 0
      try {
        claimed = await claimInTurn()
        isDatabaseMissed = false
      } catch (error) {
        if (!isDatabaseMissed) context.log.warn({ err: error }, 'notifications cannot be claimed now')
        isDatabaseMissed = true
      }
      if (claimed === 0 && !isStopped) await alarm.wait(patrolPause)
    }
  }

  const patrolling = patrol()
  return {
    wake: alarm.ring,
    async drain() {
      while ((await claimInTurn()) > 0 || underWay.size > 0) await Promise.all(underWay)
    },
    async stop() {
      isStopped = true
      alarm.ring()
      await patrolling
      await Promise.all(underWay)
    },
  }
}

/** A wait that can be cut short; a ring while nobody waits cuts the next wait. */
function newAlarm() {
  let hasRung = false
  let cut: (() => void) | undefined
  return {
    ring() {
      hasRung = true
      cut?.()
    },
    async wait(milliseconds: number): Promise<void> {
      if (!hasRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds)
          cut = () => {
            clearTimeout(timer)
            resolve()
          }
        })
        cut = undefined
      }
      hasRung = false
    },
  }
}
