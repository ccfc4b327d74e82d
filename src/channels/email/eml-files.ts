import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { errorText } from '../../domain/text/error-text.ts'
import { gatewayDown } from '../delivery.ts'
import type { Mail, MailSender } from './mail.ts'

/** Writes messages as `.eml` files. Writing one again replaces it with the same bytes, so no hand-over is needed. */
export function emlFiles(directory: string): MailSender {
  return {
    isOutbox: true,
    async send(mail) {
      try {
        await writeWhole(directory, fileName(mail), mail.raw)
        return { status: 'sent' }
      } catch (error) {
        return gatewayDown(`The outbox cannot be written: ${errorText(error)}`)
      }
    },
    close: () => undefined,
  }
}

/** `20261121T111300.123Z-…eml`: files sort in the order of events, and each intent has one name. */
function fileName({ key, decidedAt }: Mail): string {
  const time = new Date(decidedAt).toISOString().replace(/[-:]/g, '')
  const readable = key.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 80)
  return `${time}-${readable}-${createHash('sha256').update(key).digest('hex').slice(0, 8)}.eml`
}

/** Readers see the whole file or none, even after a power cut. */
async function writeWhole(directory: string, name: string, content: Buffer): Promise<void> {
  await mkdir(directory, { recursive: true })
  const unfinished = join(directory, `.${name}.${randomUUID()}.tmp`)
  try {
    const file = await open(unfinished, 'wx', 0o640)
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(unfinished, join(directory, name))
  } catch (error) {
    // The first error is reported.
    await rm(unfinished, { force: true }).catch(() => undefined)
    throw error
  }
  const parent = await open(directory, 'r')
  try {
    await parent.sync()
  } finally {
    await parent.close()
  }
}
