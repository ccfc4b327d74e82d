import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Command, InvalidArgumentError } from 'commander'
import type { Config } from '../config/config.ts'
import { pageHostsOf } from '../program/page-hosts.ts'
import { exportPages } from '../status-pages/export.ts'
import { bucketTarget, directoryTarget, type ExportTarget } from '../status-pages/export-target.ts'
import { configOf, withDatabase } from './configured.ts'
import { failedCode, tell } from './faults.ts'
import { print } from './print.ts'

interface ExportFlags {
  /** Seconds. */
  readonly every?: number
}

function seconds(text: string): number {
  const given = Number(text)
  if (!Number.isInteger(given) || given < 10 || given > 86_400) {
    throw new InvalidArgumentError('Expected whole seconds from 10 to 86400.')
  }
  return given
}

/** `s3://bucket/prefix`, or a directory. */
function targetOf(given: string, { s3 }: Pick<Config, 's3'>): ExportTarget {
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/?(.*)$/.exec(given) ?? []
  if (bucket === undefined) {
    if (given.startsWith('s3:')) throw new Error('Expected s3://BUCKET or s3://BUCKET/PREFIX.')
    return directoryTarget(resolve(given))
  }
  const prefix = path.replace(/\/+$/, '')
  return bucketTarget({ ...s3, bucket, prefix: prefix === '' ? '' : `${prefix}/` })
}

/** Where others reach the pages; undefined: nobody said. */
export function namedPagesUrl({ statusPages, publicUrl }: Pick<Config, 'statusPages' | 'publicUrl'>) {
  return statusPages?.url ?? publicUrl
}

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

async function writePages(given: string, { every }: ExportFlags, command: Command): Promise<void> {
  const config = configOf(command)
  const publicUrl = namedPagesUrl(config)
  if (publicUrl === undefined) {
    throw new Error('Set PUBLIC_URL: the files name the address of the pages, which others must reach.')
  }
  const target = targetOf(given, config)
  await withDatabase(command, async (database) => {
    const once = async () => {
      const source = { publicUrl, hosts: pageHostsOf(config), now: Date.now() }
      const { slugs, written, removed, failed } = await exportPages(database, { target, ...source })
      const [pages, files] = [counted(slugs.length, 'page', 'pages'), counted(written, 'file', 'files')]
      print(`${pages} in ${given}: ${files} written, ${removed} removed.`)
      for (const { slug, reason } of failed) tell(`the page ${slug} failed, its files stay as they were: ${reason}`)
      if (failed.length > 0) process.exitCode = failedCode
    }
    await once()
    while (every !== undefined) {
      await sleep(every * 1000)
      await once().catch((error: unknown) => {
        // The files stay as they are, and say from when they are.
        process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
      })
    }
  })
}

export function statusPageCommand(): Command {
  const page = new Command('status-page').description('public status pages as files')
  page
    .command('export')
    .description('write every public status page as static files, which any web server can serve')
    .argument(
      '<target>',
      'directory, or s3://BUCKET/PREFIX with the S3_ variables; each page has a folder with its slug',
    )
    .option('--every <seconds>', 'go on, and write what has changed again and again', seconds)
    .action(writePages)
  return page
}
