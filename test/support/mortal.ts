import type { Database, Executor } from '../../src/database/connect.ts'

/** A database as one process sees it. */
export interface MortalDatabase extends Database {
  /** As when the process dies: none of its statements reaches the database any more. */
  die(): void
}

/** Gives a process that a test starts inside itself a database of its own, so that it can die without a word. */
export function mortal(database: Database): MortalDatabase {
  let isAlive = true
  function whileAlive(executor: Executor): Executor {
    return {
      query: async (statement, name) => executor.query(await alive(statement), name),
      execute: async (statement, name) => executor.execute(await alive(statement), name),
    }
  }
  async function alive<Value>(value: Value): Promise<Value> {
    if (!isAlive) throw new Error('Connection terminated: this process is dead.')
    return value
  }
  return {
    ...whileAlive(database),
    transaction: async (work) =>
      database.transaction((transaction) => alive(transaction).then((living) => work(whileAlive(living)))),
    listen: async (channel, ...rest) => database.listen(await alive(channel), ...rest),
    close: () => database.close(),
    die() {
      isAlive = false
    },
  }
}
