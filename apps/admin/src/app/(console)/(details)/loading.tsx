import { AfterPatience } from '../../../ui/after-patience.tsx'
import { DetailSkeleton } from '../../../ui/detail-page.tsx'

export default function DetailLoading() {
  return (
    <AfterPatience>
      <DetailSkeleton />
    </AfterPatience>
  )
}
