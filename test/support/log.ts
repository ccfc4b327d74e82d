import type { Log } from '../../src/database/log.ts'

export const silentLog: Log = { info: () => undefined, warn: () => undefined }
