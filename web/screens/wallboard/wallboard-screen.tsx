import { Link } from 'wouter'
import { LiveUpdates } from '../../live/live-updates.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { useWords } from '../../words/words.ts'
import { BoardView } from './board-view.tsx'
import { useBoard } from './use-board.ts'
import { wallboardWords } from './words.ts'

/** Everything that the reader may see, on the whole screen. */
export function WallboardScreen() {
  const words = useWords(wallboardWords)
  const { board, staleSince, error, refetch } = useBoard(null)
  return (
    <>
      {board !== undefined ? (
        <BoardView board={board} staleSince={staleSince}>
          <Link href="/wallboards" className="button plain small">
            {words.leave}
          </Link>
        </BoardView>
      ) : (
        <main>
          {error === null ? <Loading what={words.what} /> : <Trouble error={error} again={() => void refetch()} />}
        </main>
      )}
      <LiveUpdates />
    </>
  )
}
