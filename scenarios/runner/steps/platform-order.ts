import { z } from 'zod'
import { changeForm, newOrderForm } from '../../mock-platform/order-changes.ts'
import { members } from '../fields.ts'
import { stepKind } from './step.ts'

export const platformOrder = stepKind({
  schema: members('an order of the platform', {
    new: newOrderForm.optional().describe('A new order.'),
    id: z.string().regex(/^\d+$/).optional().describe('Number of an order that was made by `new`.'),
    ...changeForm.shape,
  }).describe('Makes an order on the mock platform, or changes one.'),
  needs: 'platform',
  play: async ({ new: order, id, ...change }, { rig }) => {
    await rig.platform?.order(order ? undefined : id, order ?? change)
    return []
  },
})
