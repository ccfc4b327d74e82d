import { useQuery } from '@tanstack/react-query'
import { useId, useRef } from 'react'
import type { Artifact } from '../../api/answers.ts'
import { send } from '../../api/client.ts'
import { Loading } from '../../parts/loading.tsx'
import type { ShownCheck } from '../../parts/round-checks.ts'
import { Trouble } from '../../parts/trouble.tsx'
import { partWords } from '../../parts/words.ts'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { Download, useAddress, useArtifact } from './artifacts.tsx'
import type { ShownChange } from './use-failure.ts'
import { failureWords } from './words.ts'

interface ScreenshotsProps {
  readonly check: ShownCheck
  readonly artifact: Artifact | undefined
  /** Null for a round that lies in no failure. */
  readonly change: ShownChange | null
}

/** The page as it failed, beside the page as it last was while it was good. */
export function Screenshots({ check, artifact, change }: ScreenshotsProps) {
  const words = useWords(failureWords)
  const good = change?.last_good_screenshot ?? null
  return (
    <div className="screenshots">
      {artifact === undefined ? (
        <NoPicture title={words.pictureNow} text={words.noPicture} />
      ) : (
        <FailurePicture check={check} artifact={artifact} />
      )}
      {change === null ? null : good === null ? (
        <NoPicture title={words.pictureBefore} text={words.noGoodPicture} />
      ) : (
        <GoodPicture serviceId={check.service_id} change={change} good={good} />
      )}
    </div>
  )
}

function FailurePicture({ check, artifact }: { readonly check: ShownCheck; readonly artifact: Artifact }) {
  const words = useWords(failureWords)
  const station = check.sensor?.name ?? String(check.sensor_id)
  return (
    <Picture
      asked={useArtifact(check, artifact.id)}
      title={words.pictureNow}
      moment={check.time}
      station={station}
      alt={words.screenshotOf(station)}
    >
      <Download check={check} artifact={artifact} />
    </Picture>
  )
}

interface GoodPictureProps {
  readonly serviceId: number
  readonly change: ShownChange
  readonly good: NonNullable<ShownChange['last_good_screenshot']>
}

function GoodPicture({ serviceId, change, good }: GoodPictureProps) {
  const words = useWords(failureWords)
  const path = `/services/${serviceId}/history/status_changes/${change.change_id}/last_good_screenshot/plain` as const
  const asked = useQuery({
    queryKey: ['good_screenshot', path],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => (await send(path, { signal })).blob(),
  })
  const station = good.sensor_name ?? String(good.sensor_id)
  return (
    <Picture
      asked={asked}
      title={words.pictureBefore}
      moment={good.time}
      station={station}
      alt={words.goodScreenshotOf(station)}
    />
  )
}

interface PictureProps {
  readonly asked: { readonly data: Blob | undefined; readonly error: Error | null; readonly refetch: () => unknown }
  readonly title: string
  /** RFC 3339. */
  readonly moment: string
  readonly station: string
  readonly alt: string
  readonly children?: React.ReactNode
}

/** Its place has its size before it comes; it opens larger. */
function Picture({ asked, title, moment, station, alt, children }: PictureProps) {
  const words = useWords(failureWords)
  const parts = useWords(partWords)
  const format = useFormat()
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const address = useAddress(asked.data)
  return (
    <figure className="screenshot">
      <figcaption>
        <h3>{title}</h3>
        <span className="hint">
          {format.moment(moment)} ({format.zone}), {station}
        </span>
      </figcaption>
      {asked.error !== null ? (
        <div className="frame">
          <Trouble error={asked.error} again={() => void asked.refetch()} />
        </div>
      ) : address === null ? (
        <div className="frame">
          <Loading what={title} />
        </div>
      ) : (
        <button
          type="button"
          className="frame"
          aria-label={words.enlarge(alt)}
          onClick={() => dialog.current?.showModal()}
        >
          <img src={address} alt={alt} />
        </button>
      )}
      {children}
      <dialog ref={dialog} className="picture-dialog" aria-labelledby={id}>
        <div className="spread">
          <h2 id={id}>{title}</h2>
          <button type="button" className="button" onClick={() => dialog.current?.close()}>
            {parts.close}
          </button>
        </div>
        <p className="hint">
          {format.moment(moment)} ({format.zone}), {station}
        </p>
        {address === null ? null : <img src={address} alt={alt} />}
      </dialog>
    </figure>
  )
}

function NoPicture({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <section className="screenshot">
      <h3>{title}</h3>
      <p className="frame hint">{text}</p>
    </section>
  )
}
