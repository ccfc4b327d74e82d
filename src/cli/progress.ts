import { Presets, SingleBar } from 'cli-progress'
import type { Progress } from '../database/dump/progress.ts'
import { print } from './print.ts'

/**
 * A bar on stderr for a person who watches, else lines on stdout: now and then how far it is, and each table that holds something. Units
 * are bytes unless told otherwise.
 */
export function showProgress(totalText: (units: number) => string = sizeText): Progress {
  return process.stderr.isTTY ? bar(totalText) : lines(totalText)
}

const mebibyte = 1_048_576

function bar(totalText: (units: number) => string): Progress {
  const shown = new SingleBar(
    {
      format: ' {bar} {percentage}% of {size} · {subject}',
      hideCursor: true,
      clearOnComplete: true,
      stream: process.stderr,
    },
    Presets.shades_classic,
  )
  return {
    begin: (total) => shown.start(Math.max(1, total), 0, { subject: '', size: totalText(total) }),
    at: (units, subject) => shown.update(units, { subject }),
    done: (subject) => shown.update({ subject }),
    end: () => shown.stop(),
  }
}

/** Milliseconds between lines about what is under way. Short work says nothing of it; long work is never silent for long. */
const [shortestPause, longestPause] = [2000, 5000]
const percentOfALine = 10

function lines(totalText: (units: number) => string): Progress {
  let total = 1
  let last = { at: 0, percent: 0 }
  return {
    begin: (units) => {
      total = Math.max(1, units)
      last = { at: performance.now(), percent: 0 }
    },
    at: (units, subject) => {
      const at = performance.now()
      const percent = Math.min(100, Math.floor((100 * units) / total))
      const pause = percent >= last.percent + percentOfALine ? shortestPause : longestPause
      if (at - last.at < pause) return
      print(`${percent}% of ${totalText(total)} · ${subject}`)
      last = { at, percent }
    },
    done: (subject, count) => {
      if (count > 0) print(`${subject}: ${count}`)
    },
    end: () => undefined,
  }
}

export function sizeText(bytes: number): string {
  return bytes < mebibyte ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / mebibyte).toFixed(1)} MiB`
}
