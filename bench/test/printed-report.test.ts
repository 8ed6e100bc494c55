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

    As Lambda, getConfig: ms with 1024 MB, TLS and 1 ms each way, median (quartiles)
                   init + first  ratio  init             first  second   tenth
      ours     9966 (9964–9967)   1.00  4989  4977 (4976–4978)  4964.0  4950.0
      floor    9759 (9757–9760)   1.02  4886  4873 (4872–4874)  4859.0  4844.0
      express  9550 (9548–9551)   1.04  4782  4768 (4767–4769)  4753.0  4737.0

    As Lambda, promoCode/apply: ms with 1024 MB, TLS and 1 ms each way, median (quartiles)
                   init + first  ratio  init             first  second   tenth
      ours     9854 (9852–9855)   1.00  4935  4919 (4918–4920)  4909.0  4898.0
      floor    9646 (9644–9647)   1.02  4828  4818 (4817–4819)  4807.0  4795.0
      express  9443 (9441–9444)   1.04  4727  4716 (4715–4717)  4704.0  4691.0

    As Lambda, getConfig: ms with 512 MB, TLS and 1 ms each way, median (quartiles)
                 init + first  ratio  init             first  second   tenth
      ours   9339 (9337–9340)   1.00  4677  4662 (4661–4663)  4646.0  4636.0
      floor  9126 (9124–9127)   1.02  4571  4555 (4554–4556)  4545.0  4534.0

    As Lambda, promoCode/apply: ms with 512 MB, TLS and 1 ms each way, median (quartiles)
                 init + first  ratio  init             first  second   tenth
      ours   9238 (9236–9239)   1.00  4625  4613 (4612–4614)  4600.0  4586.0
      floor  9031 (9029–9032)   1.02  4522  4509 (4508–4510)  4495.0  4480.0

    Memory sizes, getConfig of ours as Lambda: ms; US dollars of Lambda per million calls
      MB    init  first     p50     p99  dollars
      256   4464   4454  4443.0  4444.0    15.08
      512   4389   4373  4363.0  4364.0    29.43
      1024  4313   4298  4282.0  4283.0    57.58
      1769  4236   4222  4207.0  4208.0    97.59

    Memory sizes, promoCode/apply of ours as Lambda: ms; US dollars of Lambda per million calls
      MB    init  first     p50     p99  dollars
      256   4431   4418  4404.0  4405.0    14.95
      512   4352   4340  4327.0  4328.0    29.19
      1024  4272   4261  4249.0  4250.0    57.13
      1769  4191   4181  4170.0  4171.0    96.73
      The cheapest size within 10 % of the best p99: 256 MB.

    Load, promoCode/apply: a campaign from 1 to 30 calls a second and back; ms from the intended send time
               answers  errors  starts      p50      p99    p99.9
      ours        4169    4168    4167  4168000  4168980  4168998
      express     4166    4165    4164  4165000  4165980  4165998

    Cold start, getConfig: ms from new process to first response, median (quartiles)
                          total  ratio  Node  load  init  call    MB    KB
      ours     4151 (4150–4152)   2.01  4138  4124  4109  4093  4083  4163
      floor    3967 (3966–3968)   2.01  3954  3940  3925  3909  3899  3979
      express  3783 (3782–3784)   2.01  3770  3756  3741  3725  3715  3795

    Cold start, promoCode/apply: ms from new process to first response, median (quartiles)
                          total  ratio  Node  load  init  call    MB    KB
      ours     4059 (4058–4060)   2.01  4046  4032  4017  4001  3991  4071
      floor    3875 (3874–3876)   2.01  3862  3848  3833  3817  3807  3887
      express  3691 (3690–3692)   2.01  3678  3664  3649  3633  3623  3703

    Warm, getConfig, cached: µs, calls per second with 1, 16 and 64 in flight, KB per call
                            CPU  ratio   p50   p99    ×1   ×16   ×64    KB
      ours     3600 (3599–3601)   1.00  3587  3573  3558  3542  3532  3521
      floor    3236 (3235–3237)   1.11  3223  3209  3194  3178  3168  3157
      express  2872 (2871–2873)   1.25  2859  2845  2830  2814  2804  2793

    Warm, getConfig, read: µs, calls per second with 1, 16 and 64 in flight, KB per call
                            CPU  ratio   p50   p99    ×1   ×16   ×64    KB
      ours     3509 (3508–3510)   1.00  3496  3482  3467  3451  3441  3430
      floor    3145 (3144–3146)   1.12  3132  3118  3103  3087  3077  3066
      express  2781 (2780–2782)   1.26  2768  2754  2739  2723  2713  2702

    Warm, promoCode/apply: µs, calls per second with 1, 16 and 64 in flight, KB per call
                            CPU  ratio   p50   p99    ×1   ×16   ×64    KB
      ours     3418 (3417–3419)   1.00  3405  3391  3376  3360  3350  3339
      floor    3054 (3053–3055)   1.12  3041  3027  3012  2996  2986  2975
      express  2690 (2689–2691)   1.27  2677  2663  2648  2632  2622  2611

    Warm, promoCode/apply, read: µs, calls per second with 1, 16 and 64 in flight, KB per call
                            CPU  ratio   p50   p99    ×1   ×16   ×64    KB
      ours     3327 (3326–3328)   1.00  3314  3300  3285  3269  3259  3248
      floor    2963 (2962–2964)   1.12  2950  2936  2921  2905  2895  2884
      express  2599 (2598–2600)   1.28  2586  2572  2557  2541  2531  2520

    Growth, cached getConfig: µs by the number of fields of the client
      fields               CPU  times   p50  response, KB
      1       2508 (2507–2509)   1.00  2495        2494.0
      10      2480 (2479–2481)   0.99  2465        2464.0
      1000    2448 (2447–2449)   0.98  2438        2437.0
      slope: -46.4 ns per field

    Growth, promoCode/apply: µs by the number of promo events of the client
      events               CPU  times   p50
      1       2426 (2425–2427)   1.00  2414
      10      2401 (2400–2402)   0.99  2387
      1000    2372 (2371–2373)   0.98  2356
      slope: -41.9 ns per event

    Memory of one process that serves both operations, MB
      calls   in use  resident
      0      2355.00      2354
      10000  2353.00      2352

    Cost, getConfig: US dollars per million calls, list prices of 2026-11-20
               total      gateway       Lambda    DynamoDB    transfer
      ours      4.62  3.50 (76 %)  0.77 (17 %)  0.01 (0 %)  0.34 (7 %)
      floor     4.57  3.50 (77 %)  0.73 (16 %)  0.01 (0 %)  0.33 (7 %)
      express   4.52  3.50 (78 %)  0.70 (15 %)  0.01 (0 %)  0.31 (7 %)

    Cost, promoCode/apply: US dollars per million calls, list prices of 2026-11-20
               total      gateway       Lambda     DynamoDB    transfer
      ours      5.21  3.50 (67 %)  0.74 (14 %)  0.63 (12 %)  0.33 (6 %)
      floor     5.17  3.50 (68 %)  0.72 (14 %)  0.63 (12 %)  0.32 (6 %)
      express   5.12  3.50 (68 %)  0.69 (13 %)  0.63 (12 %)  0.30 (6 %)
      Assumed: one call in 200 is a cold start, one in 20 reads the client again.

    Verdicts: the worst operation or function counts
                                 value  at most
      cold, ours / floor          1.23     1.25  holds
      cold, ours / best peer      0.46     0.68  holds
      bundle, each function, KB    330      330  holds"
  `);
});

test('the chart describes each figure that it draws, the fastest first', () => {
  const [, description = ''] = /<desc>(.*)<\/desc>/s.exec(chart(distinctFigures())) ?? [];
  expect(description.split(/(?<=\.) (?=[A-Z])/)).toMatchInlineSnapshot(`
    [
      "As Lambda: initialisation and first call of getConfig, with 1024 MB: express 9550 ms, floor 9759 ms, ours 9966 ms.",
      "As Lambda: initialisation and first call of promoCode/apply, with 1024 MB: express 9443 ms, floor 9646 ms, ours 9854 ms.",
      "Memory: initialisation and first call of promoCode/apply: 256 MB 8849 ms, 512 MB 8692 ms, 1024 MB 8533 ms, 1769 MB 8372 ms.",
      "Memory: p50 of warm calls of promoCode/apply: 256 MB 4404.0 ms, 512 MB 4327.0 ms, 1024 MB 4249.0 ms, 1769 MB 4170.0 ms.",
      "Memory: p99 of warm calls of promoCode/apply: 256 MB 4405.0 ms, 512 MB 4328.0 ms, 1024 MB 4250.0 ms, 1769 MB 4171.0 ms.",
      "Memory: US dollars of Lambda per million calls of promoCode/apply: 256 MB 14.95 $, 512 MB 29.19 $, 1024 MB 57.13 $, 1769 MB 96.73 $.",
      "Warm: CPU time of a getConfig from the cache: express 2872 µs, floor, which reads 3145 µs, ours 3600 µs.",
      "Warm: CPU time of a promoCode/apply: express 2690 µs, floor 3054 µs, ours 3418 µs.",
      "Cold, with a whole CPU and without TLS: from a new process to the first response of getConfig: express 3783 ms, floor 3967 ms, ours 4151 ms.",
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
