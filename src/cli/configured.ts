import type { Command } from 'commander'
import type { Config } from '../config/config.ts'
import type { Database } from '../database/connect.ts'
import { openDatabase } from '../database/open.ts'
import { createLog } from '../program/log.ts'
import { chooseConfig } from '../program/run.ts'
import { runningApi } from '../program/running-api.ts'

/** The value of `--config`, at any place on the line. */
export function configPathOf(command: Command): string | undefined {
  return command.optsWithGlobals<{ config?: string }>().config
}

export function configOf(command: Command): Config {
  return chooseConfig(configPathOf(command))
}

/** The configuration with the addresses of the program that runs on the same data directory, if one serves the API. */
export async function besideRunningApi(config: Config): Promise<Config> {
  return { ...config, ...(await runningApi(config.dataDirectory)) }
}

/** Uses the database server of a program that runs on the same data directory; otherwise starts it for the moment. */
export async function withDatabase<T>(command: Command, work: (database: Database) => Promise<T>): Promise<T> {
  const { databaseUrl, dataDirectory } = configOf(command)
  const opened = await openDatabase({ databaseUrl, dataDirectory, log: createLog('warn'), joinRunning: true })
  try {
    return await work(opened.database)
  } finally {
    await opened.close()
  }
}
