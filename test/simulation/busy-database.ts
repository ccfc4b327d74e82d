import { setImmediate as turn } from 'node:timers/promises'
import type { Database } from '../../src/database/connect.ts'

/** A database that knows when nobody uses it. Wake-ups are heard when the test says so, not when the socket does. */
export interface BusyDatabase extends Database {
  /** Resolves when whoever works with it waits for nothing but time. */
  idle(): Promise<void>
  /** Passes on what was notified. */
  hear(): void
  /** Transactions so far: what was under way may have been written. */
  transactions(): number
}

/** Turns of the event loop without any use that count as rest: promises hand on within one. */
const restfulTurns = 2

export function busyDatabase(database: Database): BusyDatabase {
  let used = 0
  let release = () => {}
  let transactions = 0
  const listeners = new Set<(payload: string) => void>()
  async function counted<Value>(work: Promise<Value>): Promise<Value> {
    used++
    try {
      return await work
    } finally {
      used--
      if (used === 0) release()
    }
  }
  return {
    query: (statement, name) => counted(database.query(statement, name)),
    execute: (statement, name) => counted(database.execute(statement, name)),
    transaction(work) {
      transactions++
      return counted(database.transaction(work))
    },
    transactions: () => transactions,
    async listen(_channel, listener) {
      listeners.add(listener)
      return async () => {
        listeners.delete(listener)
      }
    },
    close: () => database.close(),
    async idle() {
      for (let rest = 0; rest < restfulTurns; rest++) {
        await turn()
        if (used === 0) continue
        await new Promise<void>((resolve) => {
          release = resolve
        })
        rest = -1
      }
    },
    hear() {
      for (const listener of listeners) listener('')
    },
  }
}
