import { expect, test } from 'vitest';
import { chart } from '../results/chart.ts';
import { report } from '../results/report.ts';
import { verdictsOn } from '../verdicts.ts';
import { distinctFigures } from './distinct-figures.ts';
import { figuresFixture } from './figures-fixture.ts';

test('the report shows each figure in its row and column', () => {
  const verdicts = verdictsOn({
    'cold, ours / floor': 1.234,
    'cold, ours / best peer': 0.4567,
    'bundle, each function, KB': 329.6,
  }).filter(({ holds }) => holds !== 'not measured');
  expect(report(distinctFigures(), verdicts).join('\n')).toMatchInlineSnapshot(`
    "Node v24.21.0 on 2 × a CPU, 2026-11-20
    ratio: ours divided by the row

    As Lambda, getConfig: ms with 512 MB, TLS and 1 ms each way, median (quartiles)
                   init + first  ratio  init             first  second   tenth
      ours     9966 (9964–9967)   1.00  4989  4977 (4976–4978)  4964.0  4950.0
      floor    9759 (9757–9760)   1.02  4886  4873 (4872–4874)  4859.0  4844.0
      express  9550 (9548–9551)   1.04  4782  4768 (4767–4769)  4753.0  4737.0

    As Lambda, promoCode/apply: ms with 512 MB, TLS and 1 ms each way, median (quartiles)
                   init + first  ratio  init             first  second   tenth
      ours     9854 (9852–9855)   1.00  4935  4919 (4918–4920)  4909.0  4898.0
      floor    9646 (9644–9647)   1.02  4828  4818 (4817–4819)  4807.0  4795.0
      express  9443 (9441–9444)   1.04  4727  4716 (4715–4717)  4704.0  4691.0

    Memory sizes, getConfig of ours as Lambda: ms; US dollars of Lambda per million calls
      MB    init  first     p50     p99  dollars
      256   4677   4662  4646.0  4647.0    15.76
      512   4600   4586  4571.0  4572.0    30.83
      1024  4522   4509  4495.0  4496.0    60.43
      1769  4443   4431  4418.0  4419.0   102.47

    Memory sizes, promoCode/apply of ours as Lambda: ms; US dollars of Lambda per million calls
      MB    init  first     p50     p99  dollars
      256   4636   4625  4613.0  4614.0    15.65
      512   4555   4545  4534.0  4535.0    30.58
      1024  4480   4464  4454.0  4455.0    59.88
      1769  4404   4389  4373.0  4374.0   101.43
      The cheapest size within 10 % of the best p99: 256 MB.

    Load, promoCode/apply: a campaign from 1 to 30 calls a second and back; ms from the intended send time
               answers  errors  starts      p50      p99    p99.9
      ours        4372    4371    4370  4371000  4371980  4371998
      express     4369    4368    4367  4368000  4368980  4368998

    Cold start, getConfig: ms from new process to first response, median (quartiles)
                          total  ratio  Node  load  init  call    MB    KB
      ours     4356 (4355–4357)   2.00  4345  4333  4320  4306  4291  4366
      floor    4172 (4171–4173)   2.00  4161  4149  4136  4122  4107  4182
      express  3988 (3987–3989)   2.01  3977  3965  3952  3938  3923  3998

    Cold start, promoCode/apply: ms from new process to first response, median (quartiles)
                          total  ratio  Node  load  init  call    MB    KB
      ours     4264 (4263–4265)   2.00  4253  4241  4228  4214  4199  4274
      floor    4080 (4079–4081)   2.00  4069  4057  4044  4030  4015  4090
      express  3896 (3895–3897)   2.01  3885  3873  3860  3846  3831  3906

    Warm, getConfig, cached: µs, calls per second with 1, 16 and 64 in flight, KB per call
                            CPU  ratio   p50   p99    ×1   ×16   ×64    KB
      ours     3805 (3804–3806)   1.00  3794  3782  3769  3755  3740  3724
      floor    3441 (3440–3442)   1.11  3430  3418  3405  3391  3376  3360
      express  3077 (3076–3078)   1.24  3066  3054  3041  3027  3012  2996

    Warm, getConfig, read: µs, calls per second with 1, 16 and 64 in flight, KB per call
                            CPU  ratio   p50   p99    ×1   ×16   ×64    KB
      ours     3714 (3713–3715)   1.00  3703  3691  3678  3664  3649  3633
      floor    3350 (3349–3351)   1.11  3339  3327  3314  3300  3285  3269
      express  2986 (2985–2987)   1.24  2975  2963  2950  2936  2921  2905

    Warm, promoCode/apply: µs, calls per second with 1, 16 and 64 in flight, KB per call
                            CPU  ratio   p50   p99    ×1   ×16   ×64    KB
      ours     3623 (3622–3624)   1.00  3612  3600  3587  3573  3558  3542
      floor    3259 (3258–3260)   1.11  3248  3236  3223  3209  3194  3178
      express  2895 (2894–2896)   1.25  2884  2872  2859  2845  2830  2814

    Warm, promoCode/apply, read: µs, calls per second with 1, 16 and 64 in flight, KB per call
                            CPU  ratio   p50   p99    ×1   ×16   ×64    KB
      ours     3532 (3531–3533)   1.00  3521  3509  3496  3482  3467  3451
      floor    3168 (3167–3169)   1.11  3157  3145  3132  3118  3103  3087
      express  2804 (2803–2805)   1.26  2793  2781  2768  2754  2739  2723

    Growth, cached getConfig: µs by the number of fields of the client
      fields               CPU  times   p50  response, KB
      1       2713 (2712–2714)   1.00  2702        2701.0
      10      2689 (2688–2690)   0.99  2676        2675.0
      1000    2661 (2660–2662)   0.98  2646        2645.0
      slope: -40.4 ns per field

    Growth, promoCode/apply: µs by the number of promo events of the client
      events               CPU  times   p50
      1       2629 (2628–2630)   1.00  2619
      10      2608 (2607–2609)   0.99  2596
      1000    2583 (2582–2584)   0.98  2569
      slope: -35.8 ns per event

    Memory of one process that serves both operations, MB
      calls   in use  resident
      0      2568.00      2567
      10000  2566.00      2565

    Cost, getConfig: US dollars per million calls, list prices of 2026-11-20
               total      gateway       Lambda    DynamoDB    transfer
      ours      4.66  3.50 (75 %)  0.79 (17 %)  0.01 (0 %)  0.36 (8 %)
      floor     4.61  3.50 (76 %)  0.76 (16 %)  0.01 (0 %)  0.34 (7 %)
      express   4.57  3.50 (77 %)  0.74 (16 %)  0.01 (0 %)  0.33 (7 %)

    Cost, promoCode/apply: US dollars per million calls, list prices of 2026-11-20
               total      gateway       Lambda     DynamoDB    transfer
      ours      5.26  3.50 (66 %)  0.78 (15 %)  0.63 (12 %)  0.35 (7 %)
      floor     5.21  3.50 (67 %)  0.75 (14 %)  0.63 (12 %)  0.34 (6 %)
      express   5.16  3.50 (68 %)  0.71 (14 %)  0.63 (12 %)  0.32 (6 %)
      Assumed: one call in 200 is a cold start, one in 20 reads the client again.

    Verdicts: the worst operation or function counts
                                 value  at most
      cold, ours / floor          1.23      1.3  holds
      cold, ours / best peer      0.46     0.68  holds
      bundle, each function, KB    330      330  holds"
  `);
});

test('the chart describes each figure that it draws, the fastest first', () => {
  const [, description = ''] = /<desc>(.*)<\/desc>/s.exec(chart(distinctFigures())) ?? [];
  expect(description.split(/(?<=\.) (?=[A-Z])/)).toMatchInlineSnapshot(`
    [
      "As Lambda: initialisation and first call of getConfig, with 512 MB: express 9550 ms, floor 9759 ms, ours 9966 ms.",
      "As Lambda: initialisation and first call of promoCode/apply, with 512 MB: express 9443 ms, floor 9646 ms, ours 9854 ms.",
      "Memory: initialisation and first call of promoCode/apply: 256 MB 9261 ms, 512 MB 9100 ms, 1024 MB 8944 ms, 1769 MB 8793 ms.",
      "Memory: p50 of warm calls of promoCode/apply: 256 MB 4613.0 ms, 512 MB 4534.0 ms, 1024 MB 4454.0 ms, 1769 MB 4373.0 ms.",
      "Memory: p99 of warm calls of promoCode/apply: 256 MB 4614.0 ms, 512 MB 4535.0 ms, 1024 MB 4455.0 ms, 1769 MB 4374.0 ms.",
      "Memory: US dollars of Lambda per million calls of promoCode/apply: 256 MB 15.65 $, 512 MB 30.58 $, 1024 MB 59.88 $, 1769 MB 101.43 $.",
      "Warm: CPU time of a getConfig from the cache: express 3077 µs, floor, which reads 3350 µs, ours 3805 µs.",
      "Warm: CPU time of a promoCode/apply: express 2895 µs, floor 3259 µs, ours 3623 µs.",
      "Cold, with a whole CPU and without TLS: from a new process to the first response of getConfig: express 3988 ms, floor 4172 ms, ours 4356 ms.",
    ]
  `);
});

test('the chart says what its colours mean, and which run it shows', () => {
  const svg = chart(distinctFigures());
  const texts = (pattern: RegExp) => [...svg.matchAll(pattern)].map(([, text]) => text);
  expect(texts(/<title>(.*)<\/title>/g)).toEqual(['Starts and warm calls, side by side']);
  expect(texts(/<text class="note"[^>]*>(.*)<\/text>/g)).toEqual([
    'medians, Node v24.21.0, 2026-11-20',
  ]);
  const legend = [...svg.matchAll(/<rect class="([\w-]+)"[^>]*height="12"\/><text[^>]*>([^<]*)</g)];
  expect(legend.map(([, colour, text]) => [colour, text])).toEqual([
    ['boot', 'Node itself'],
    ['loading', 'loading modules'],
    ['initialising', 'running them'],
    ['first-call', 'first call'],
  ]);
  const used = new Set(texts(/<rect class="([\w-]+)"/g));
  for (const colour of used)
    expect(svg).toMatch(new RegExp(`\\.${colour} { fill: #[0-9a-f]{6}; }`));
});

test('the parts of a bar have the widths of their medians', () => {
  const { cold, warm, ...figures } = figuresFixture();
  const startedBy = { total: [9, 100, 101], boot: [1, 20, 30], loading: [1, 30, 90] };
  const started = { ...startedBy, initialising: [1, 10, 11], firstCall: [2, 40, 41] };
  const svg = chart({
    ...{ machine: figures.machine, excluded: {}, peers: [], functions: {} },
    capacityUnits: figures.capacityUnits,
    cold: cold.slice(0, 1).map((one) => ({ ...one, measured: { ...one.measured, ...started } })),
    warm: warm
      .filter(({ candidate }) => candidate === 'ours')
      .map((one) => ({ ...one, measured: { ...one.measured, cpu: [1, 7, 90] } })),
  });
  const widths = [...svg.matchAll(/width="([\d.]+)" height="18"/g)].map(([, width]) =>
    Number(width),
  );
  // A call from the cache, a promo code, and the four parts of a cold start.
  expect(widths).toEqual([600, 600, 120, 180, 60, 240]);
});
