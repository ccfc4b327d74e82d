import { useEffect } from 'react'
import { Refused } from '../../api/client.ts'
import { Loading } from '../../parts/loading.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { useWords } from '../../words/words.ts'
import { BoardView } from './board-view.tsx'
import { useBoard } from './use-board.ts'
import { wallboardWords } from './words.ts'

/** The page of a link without a login. */
export function SharedWallboard({ token }: { readonly token: string }) {
  const words = useWords(wallboardWords)
  const { board, staleSince, error, refetch } = useBoard(token)
  useEffect(() => {
    document.documentElement.dataset['ready'] = 'yes'
  }, [])
  if (board !== undefined) return <BoardView board={board} staleSince={staleSince} />
  if (error === null) return <Loading what={words.what} />
  if (!(error instanceof Refused) || error.status !== 404)
    return (
      <main>
        <Trouble error={error} again={() => void refetch()} />
      </main>
    )
  return (
    <main>
      <div className="empty" role="alert">
        <h1>{words.noLink}</h1>
        <p>{words.noLinkHint}</p>
      </div>
    </main>
  )
}
