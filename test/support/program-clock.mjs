// Loaded into the built program and its children by `--import`: their wall clock is off by the milliseconds in the file
// that its address names (`?file=`), as when somebody sets it.
import { readFileSync } from 'node:fs'

const file = new URL(import.meta.url).searchParams.get('file')
const real = Date.now.bind(Date)
const Real = Date
let offset = 0

function look() {
  try {
    offset = Number(readFileSync(file, 'utf8'))
  } catch {
    // Not written yet.
  }
}

look()
setInterval(look, 20).unref()
Date.now = () => real() + offset
globalThis.Date = new Proxy(Real, {
  construct: (target, given) => (given.length === 0 ? new target(real() + offset) : new target(...given)),
})
