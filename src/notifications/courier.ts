import { type DeliveryContext, deliver } from './deliver.ts'
import type { Gate } from './gate.ts'
import type { Claim, Parcel } from './parcel.ts'

/** Milliseconds between looks at the table; a NOTIFY only makes the next look earlier. */
const patrolPause = 2000
/** Milliseconds that a free place waits for others while parcels are under way, so that one look serves many. */
const gatheringPause = 15

export interface Courier {
  wake(): void
  /** Resolves when nothing is due and nothing is under way. */
  drain(): Promise<void>
  /** Claims nothing more; resolves when what is under way has ended. */
  stop(): Promise<void>
}

export interface Route {
  readonly claim: Claim
  /** How many parcels may be under way at once. */
  readonly concurrency: number
  readonly gate: Gate
}

/**
 * Delivers the parcels of one gateway. Each gateway has its own couriers, so a slow one holds up nobody else. While its gate is
 * shut nothing is claimed: what waits is not attempted.
 */
export function startCourier(context: DeliveryContext, { claim: claimParcels, concurrency, gate }: Route): Courier {
  const underWay = new Set<Promise<void>>()
  const alarm = newAlarm()
  let isStopped = false
  let isDatabaseMissed = false
  /** When the first place became free since the last look; null: none has. */
  let freedAt: number | null = null
  let gathering: NodeJS.Timeout | undefined
  let turn: Promise<unknown> = Promise.resolve()

  async function claim(): Promise<number> {
    const room = isStopped ? 0 : gate.room(concurrency - underWay.size)
    if (room <= 0) return 0
    freedAt = null
    const parcels = await claimParcels(context.clock.now(), room)
    gate.pass(parcels.length)
    for (const parcel of parcels) {
      const delivery: Promise<void> = carry(parcel).finally(() => {
        underWay.delete(delivery)
        free()
      })
      underWay.add(delivery)
    }
    return parcels.length
  }

  function free(): void {
    freedAt ??= performance.now()
    const isWorthALook = underWay.size <= concurrency / 2 || performance.now() - freedAt >= gatheringPause
    if (isWorthALook) alarm.ring()
    else {
      clearTimeout(gathering)
      gathering = setTimeout(alarm.ring, gatheringPause)
    }
  }

  async function carry(parcel: Parcel): Promise<void> {
    await deliver(context, parcel, gate).catch((error: unknown) =>
      context.log.error({ err: error }, 'the end of a delivery was not recorded'),
    )
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
      if (claimed === 0 && !isStopped) await alarm.wait(Math.min(gate.pause() || patrolPause, patrolPause))
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
      clearTimeout(gathering)
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
