/** The child process that makes one document: data in, PDF out. Its memory is freed with it. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { parsedInReadingOrder } from '../../domain/text/one-line.ts'
import type { ReportDocument } from '../document.ts'
import { layOut } from './layout.ts'
import { viewOf } from './report-view.ts'

const fonts = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf')
const font = (name: string) => readFileSync(join(fonts, name))

const json = await buffer(process.stdin)
// A letter and its accent may arrive as two characters; they are drawn as one.
const document = parsedInReadingOrder(json.toString('utf8').normalize('NFC')) as ReportDocument
process.stdout.write(layOut(viewOf(document), { regular: font('DejaVuSans.ttf'), bold: font('DejaVuSans-Bold.ttf') }))
