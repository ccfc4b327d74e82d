import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { change } from '../../api/calls.ts'
import { ChoiceField } from '../../parts/fields.tsx'
import { useNarrow } from '../../parts/use-narrow.ts'
import { useWords } from '../../words/words.ts'
import { drawInto, emptyDocument, markup } from './preview-document.ts'
import { statusPageWords } from './words.ts'

/** Milliseconds without a key before the page is drawn again. */
const typingMs = 400

function useRested(text: string): string {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), typingMs)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}

/** The page with these fields, as the server draws it. */
export function usePagePreview(fields: object) {
  const asked = useRested(JSON.stringify(fields))
  const { data, error } = useQuery({
    queryKey: ['status_page_preview', asked],
    queryFn: () => change('POST', '/status_pages/preview', JSON.parse(asked)),
    placeholderData: keepPreviousData,
    retry: false,
  })
  return { shown: data ?? null, error }
}

const widths = { phone: 360, desk: 1024 } as const
const heights = { phone: 640, desk: 800 } as const
type Size = keyof typeof widths
const schemes = ['light', 'dark'] as const
type Scheme = (typeof schemes)[number]

interface PreviewProps {
  readonly id: string
  readonly preview: ReturnType<typeof usePagePreview>
}

/** The page as visitors would see it, on a phone or a desk, light or dark. */
export function PagePreview({ id, preview: { shown, error } }: PreviewProps) {
  const words = useWords(statusPageWords)
  const isNarrow = useNarrow()
  const [chosen, setSize] = useState<Size | null>(null)
  // A desk is too small to read on a phone.
  const size = chosen ?? (isNarrow ? 'phone' : 'desk')
  const [scheme, setScheme] = useState<Scheme>('light')
  return (
    <section className="page-preview" aria-labelledby={id}>
      <h3 id={id}>{words.preview}</h3>
      <div className="preview-choices">
        <ChoiceField
          label={words.previewSize}
          name="preview_size"
          value={size}
          options={(['desk', 'phone'] as const).map((one) => ({ id: one, name: words.previewSizes[one] }))}
          set={(wanted) => setSize(wanted === 'phone' ? 'phone' : 'desk')}
        />
        <ChoiceField
          label={words.previewScheme}
          name="preview_scheme"
          value={scheme}
          options={schemes.map((one) => ({ id: one, name: words.previewSchemes[one] }))}
          set={(wanted) => setScheme(wanted === 'dark' ? 'dark' : 'light')}
        />
      </div>
      <p className="hint" role="status">
        {error === null ? '' : `${words.noPreview} ${error.message}`}
      </p>
      <Frame html={shown?.html ?? null} size={size} scheme={scheme} />
    </section>
  )
}

interface FrameProps {
  readonly html: string | null
  readonly size: Size
  readonly scheme: Scheme
}

/** Scripts do not run in it, whatever the page has; it keeps its place while it is drawn again. */
function Frame({ html, size, scheme }: FrameProps) {
  const words = useWords(statusPageWords)
  const around = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const [isReady, setReady] = useState(false)
  const room = useWidth(around)
  useEffect(() => {
    if (frame.current !== null) frame.current.srcdoc = markup(emptyDocument)
  }, [])
  useEffect(() => {
    const inner = frame.current?.contentDocument
    if (isReady && inner != null && html !== null) drawInto(inner, html, scheme)
  }, [isReady, html, scheme])
  const scale = Math.min(1, room / widths[size])
  const height = heights[size]
  return (
    <div ref={around} className="preview-frame" style={{ height: height * scale }}>
      <iframe
        ref={frame}
        title={words.preview}
        sandbox="allow-same-origin"
        style={{ width: widths[size], height, transform: `scale(${scale})`, colorScheme: scheme }}
        onLoad={({ currentTarget }) => setReady(currentTarget.contentDocument?.URL === 'about:srcdoc')}
      />
    </div>
  )
}

function useWidth(of: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState<number>(widths.desk)
  useEffect(() => {
    const element = of.current
    if (element === null) return
    const watch = new ResizeObserver(() => setWidth(element.clientWidth))
    watch.observe(element)
    return () => watch.disconnect()
  }, [of])
  return width
}
