/** The child process that makes one document: data in, PDF out. What it takes of memory goes with it. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import type { ReportDocument } from '../document.ts'
import { viewOf } from './view.ts'

const fonts = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf')

function pdfOf(document: ReportDocument): Buffer {
  const faces = ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map((name) => readFileSync(join(fonts, name)))
  const compiler = NodeCompiler.create({
    fontArgs: [{ fontBlobs: faces }],
    workspace: fileURLToPath(new URL('.', import.meta.url)),
  })
  compiler.mapShadow(
    join(fileURLToPath(new URL('.', import.meta.url)), 'view.json'),
    Buffer.from(JSON.stringify(viewOf(document))),
  )
  const layout = readFileSync(new URL('./report.typ', import.meta.url), 'utf8')
  const compiled = compiler.compile({ mainFileContent: layout })
  const { result } = compiled
  if (result === null) throw new Error(JSON.stringify(compiled.takeDiagnostics()?.shortDiagnostics))
  return compiler.pdf(result, { creationTimestamp: Math.floor(Date.parse(document.report.created_at) / 1000) })
}

const json = await buffer(process.stdin)
process.stdout.write(pdfOf(JSON.parse(json.toString('utf8')) as ReportDocument))
