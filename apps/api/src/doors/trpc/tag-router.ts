import {
  NewTag,
  NewTagSetting,
  TagChips,
  TagEdit,
  TagListQuery,
  TagMerge,
  TagReference,
  TagRow,
  TagSetting,
  TagsOf,
  twoWayPageOf,
} from '@meridian/contracts'
import { listTagChoices, listTags, listTagsOf } from '../../tags/list-tags.ts'
import { archiveTag, createTag, editTag, mergeTag, restoreTag } from '../../tags/manage-tags.ts'
import { setNewTag, setTag, takeTag } from '../../tags/set-tag.ts'
import { onPool } from './console-call.ts'
import { operatorProcedure, permittedProcedure, readingProcedure, router } from './procedures.ts'

const setting = permittedProcedure('tag.set')
const managing = permittedProcedure('tag.manage')

export const tagRouter = router({
  list: readingProcedure('tag.manage')
    .input(TagListQuery)
    .output(twoWayPageOf(TagRow))
    .query(onPool(listTags)),

  /** What may be set, and what lists may be filtered by. */
  choices: operatorProcedure
    .output(TagChips)
    .query(async ({ ctx }) => ({ items: await listTagChoices(ctx.services.database.pool) })),

  /** The tags of one thing. */
  of: operatorProcedure
    .input(TagsOf)
    .output(TagChips)
    .query(async ({ ctx, input }) => ({
      items: await listTagsOf(ctx.services.database.pool, input.subject),
    })),

  set: setting
    .input(TagSetting)
    .output(TagChips)
    .mutation(onPool(async (pool, input, actor) => ({ items: await setTag(pool, input, actor) }))),

  setNew: setting
    .input(NewTagSetting)
    .output(TagChips)
    .mutation(onPool(async (pool, input, actor) => ({ items: await setNewTag(pool, input, actor) }))),

  take: setting
    .input(TagSetting)
    .output(TagChips)
    .mutation(onPool(async (pool, input, actor) => ({ items: await takeTag(pool, input, actor) }))),

  create: managing.input(NewTag).output(TagReference).mutation(onPool(createTag)),

  edit: managing.input(TagEdit).output(TagReference).mutation(onPool(editTag)),

  merge: managing.input(TagMerge).output(TagReference).mutation(onPool(mergeTag)),

  archive: managing.input(TagReference).output(TagReference).mutation(onPool(archiveTag)),

  restore: managing.input(TagReference).output(TagReference).mutation(onPool(restoreTag)),
})
