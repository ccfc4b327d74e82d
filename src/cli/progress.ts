import { Presets, SingleBar } from 'cli-progress'
import type { DumpProgress } from '../database/dump/progress.ts'
import { print } from './print.ts'

/**
 * Shows a bar on stderr for a person at a terminal. Otherwise it prints lines on stdout: the progress now and then, and
 * each table with content. Units are bytes unless stated otherwise.
 */
export function showProgress(totalText: (units: number) => string = sizeText): DumpProgress {
  return process.stderr.isTTY ? bar(totalText) : lines(totalText)
}

const mebibyte = 1_048_576

function bar(totalText: (units: number) => string): DumpProgress {
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

/** Milliseconds between lines about the current work. Short work prints none; long work is never silent for long. */
const [shortestPause, longestPause] = [2000, 5000]
const percentOfALine = 10

function lines(totalText: (units: number) => string): DumpProgress {
  let total = 1
  let now = { percent: 0, subject: '' }
  let told = { at: 0, percent: 0, subject: '' }
  let looking: NodeJS.Timeout | undefined
  function tell(): void {
    const at = performance.now()
    // The work before the first percent may also take long, so each step of it is named.
    const isNamed = now.percent > 0 || now.subject === told.subject
    const isFarther = now.percent >= told.percent + percentOfALine || !isNamed
    if (now.subject === '' || at - told.at < (isFarther ? shortestPause : longestPause)) return
    print(`${now.percent}% of ${totalText(total)} · ${now.subject}`)
    told = { at, ...now }
  }
  return {
    begin: (units) => {
      total = Math.max(1, units)
      told = { at: performance.now(), percent: 0, subject: '' }
      looking = setInterval(tell, shortestPause).unref()
    },
    at: (units, subject) => {
      now = { percent: Math.min(100, Math.floor((100 * units) / total)), subject }
      tell()
    },
    done: (subject, count) => {
      if (count > 0) print(`${subject}: ${count}`)
    },
    end: () => clearInterval(looking),
  }
}

export function sizeText(bytes: number): string {
  return bytes < mebibyte ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / mebibyte).toFixed(1)} MiB`
}
