// pg-boss over PostgreSQL: N jobs inserted at once, found again by what they carry.
import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const { PgBoss } = createRequire(`${process.env.RACE_MODULES}/`)('pg-boss');
const { RACE_URL, RACE_DIARY } = process.env;
const jobSeconds = Number(process.env.RACE_JOB_SECONDS);
const pollMs = Number(process.env.RACE_POLL_SECONDS) * 1000;
const QUEUE = 'race';
const totals = new Map();

const boss = new PgBoss({
  connectionString: RACE_URL,
  useListenNotify: true,
  superviseIntervalSeconds: 10,
  monitorIntervalSeconds: 10,
});
boss.on('error', (trouble) => console.error(trouble));
await boss.start();

const note = (batch, number, event) => {
  const line = { batch, number, event, at: Date.now() / 1000, pid: process.pid };
  appendFileSync(RACE_DIARY, `${JSON.stringify(line)}\n`);
};

const verbs = {
  async accept({ batch, count, sleep_ms }) {
    totals.set(batch, count);
    const jobs = Array.from({ length: count }, (_, number) => ({ data: { batch, number, sleep_ms } }));
    await boss.insert(QUEUE, jobs);
  },
  async progress({ batch }) {
    const jobs = await boss.findJobs(QUEUE, { data: { batch } });
    return { done: jobs.filter((job) => job.state === 'completed').length, calls: 1 };
  },
  async wait({ batch, within }) {
    const deadline = Date.now() + within * 1000;
    for (;;) {
      const { done } = await verbs.progress({ batch });
      if (done === totals.get(batch)) return true;
      if (Date.now() > deadline) return false;
      await sleep(pollMs);
    }
  },
  async clear() {
    totals.clear();
    await boss.deleteAllJobs(QUEUE);
  },
};

const handle = async (jobs) =>
  Promise.all(
    jobs.map(async ({ id, data: { batch, number, sleep_ms } }) => {
      note(batch, number, 'begun');
      if (sleep_ms) await sleep(sleep_ms);
      note(batch, number, 'ended');
      return { id, status: 'completed' };
    }),
  );

await boss.createQueue(QUEUE, { heartbeatSeconds: 10, expireInSeconds: jobSeconds, retryLimit: 5, notify: true });
if (process.argv[2] === 'work') {
  const batchSize = Number(process.argv[3]);
  await boss.work(QUEUE, { batchSize, perJobResults: true, burstWhenBatchFull: true, pollingIntervalSeconds: 0.5 }, handle);
} else {
  for await (const line of createInterface({ input: process.stdin })) {
    const { verb, ...order } = JSON.parse(line);
    console.log(JSON.stringify((await verbs[verb](order)) ?? null));
  }
  await boss.stop();
}
