import type { ReportLabel } from '../../wording/catalogue.ts'
import type { Language } from '../../wording/language.ts'

export interface FigureView {
  readonly label: string
  readonly value: string
}

/** The content of a document, made by report-view.ts and laid out by layout.ts. */
export interface ReportView {
  readonly title: string
  readonly author: string
  readonly language: Language
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly description: string
  readonly range: string
  readonly labels: Readonly<Record<ReportLabel, string>> & {
    readonly failureColumns: readonly string[]
    readonly overviewColumns: readonly string[]
  }
  readonly facts: readonly FigureView[]
  readonly rules: readonly FigureView[]
  readonly points: readonly PointView[]
  /** All services side by side; null if there is only one. */
  readonly overview: readonly OverviewRow[] | null
}

export interface OverviewRow {
  /** The index in `points` of the service's own point. */
  readonly point: number
  readonly name: string
  readonly state: LevelState | null
  /** State, availability, failures, longest failure, response time. */
  readonly cells: readonly string[]
}

export interface PointView {
  readonly name: string
  readonly about: string
  readonly level: LevelView | null
  readonly checks: readonly FigureView[] | null
  readonly charts: readonly ChartView[]
  /** For one service. */
  readonly failures: { readonly rows: readonly (readonly string[])[]; readonly remark: string | null } | null
}

export type LevelState = 'ok' | 'failure' | 'paused'

/** The timeline, drawn as rectangles in the colours of the states. */
export interface LevelView extends Readonly<Record<LevelState, readonly Rectangle[]>> {
  readonly figures: readonly FigureView[]
  readonly facts: readonly (FigureView & { readonly state: LevelState | null })[]
  readonly alt: string
  readonly start: string
  readonly end: string
  /** Explains failures that are drawn larger than they lasted. */
  readonly remark: string | null
}

export interface ChartView {
  readonly title: string
  readonly alt: string
  readonly bars: readonly {
    readonly label: string
    readonly value: string
    readonly x: number
    readonly width: number
    readonly top: number
  }[]
  readonly rectangles: readonly Rectangle[]
}

/** From the upper left corner, as parts of a picture's width and height: x, y, width, height. */
export type Rectangle = readonly [x: number, y: number, width: number, height: number]
