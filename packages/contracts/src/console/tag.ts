import { z } from 'zod'
import { tagColors, taggedKinds } from '../choices.ts'
import { pageFields, RowCount, SerialId } from '../paging.ts'
import { isStorableText } from '../storable.ts'
import { lineOf } from '../text.ts'
import { SubjectReference } from './subject.ts'

export const MOST_TAG_CHARACTERS = 24
export const MOST_TAGS_IN_USE = 200
/** How many tags one order, user or device bears. */
export const MOST_TAGS_OF_SUBJECT = 10
/** A tag that more things than so many bear is not merged into another. */
export const MOST_MERGED_TAGGINGS = 20_000
/** How many things bear a tag is exact up to so many of each kind. */
export const TAGGED_COUNT_LIMIT = 1_000

export const TagColor = z.enum(tagColors)
export type TagColor = z.infer<typeof TagColor>

/** The kinds of things that bear tags: those with a list that is filtered by them. */
export const TaggedKind = z.enum(taggedKinds)
export type TaggedKind = z.infer<typeof TaggedKind>

export const TaggedSubject = SubjectReference.extend({ kind: TaggedKind })
export type TaggedSubject = z.infer<typeof TaggedSubject>

export const TagLabel = lineOf(MOST_TAG_CHARACTERS).min(1).refine(isStorableText)

/** What a list may be filtered by: one tag. */
export const tagFilter = { tag: SerialId.optional() }

/** A tag as it is shown wherever it is set. */
export const TagChip = z.object({
  id: SerialId,
  label: z.string(),
  color: TagColor,
  /** It is not offered any more, and stays where it was set. */
  isArchived: z.boolean(),
})
export type TagChip = z.infer<typeof TagChip>

/** A few tags, whole. */
export const TagChips = z.object({ items: z.array(TagChip) })

export const TagRow = TagChip.extend({
  /** How many of each kind bear it: exact up to 1,000, `more` beyond. */
  orders: RowCount,
  users: RowCount,
  devices: RowCount,
  createdAt: z.date(),
})
export type TagRow = z.infer<typeof TagRow>

export const TagListQuery = z.object({ isArchived: z.boolean().default(false), ...pageFields })
export type TagListQuery = z.infer<typeof TagListQuery>

export const TagsOf = z.object({ subject: TaggedSubject })
export const TagReference = z.object({ id: SerialId })

/** A tag on a thing. */
export const TagSetting = TagsOf.extend(TagReference.shape)
export type TagSetting = z.infer<typeof TagSetting>

export const NewTag = z.object({ label: TagLabel, color: TagColor })
export type NewTag = z.infer<typeof NewTag>

/** A tag made where it is set; the one in use where there is one of this label. */
export const NewTagSetting = TagsOf.extend(NewTag.shape)
export type NewTagSetting = z.infer<typeof NewTagSetting>

export const TagEdit = TagReference.extend(NewTag.shape)
export type TagEdit = z.infer<typeof TagEdit>

/** The tag that goes, and the one that what bore it bears from then on. */
export const TagMerge = TagReference.extend({ into: SerialId })
export type TagMerge = z.infer<typeof TagMerge>
