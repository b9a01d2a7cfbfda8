import { defineSignal } from '@temporalio/workflow';
import { SIGNALS } from '../contract/workflows.ts';
import type { RetryNowSignal } from '../contract/workflows.ts';

export const slotFreeSignal = defineSignal(SIGNALS.slotFree);
export const retryNowSignal = defineSignal<[RetryNowSignal?]>(SIGNALS.retryNow);
export const stopDeliverySignal = defineSignal(SIGNALS.stopDelivery);
