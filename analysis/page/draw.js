/* SPDX-License-Identifier: MIT */
/*
 * Draws what the page holds. No figure is computed here: numbers and their
 * texts come as they are from the JSON in each figure; only ticks of axes get
 * their texts here, for where they stand is the chart's choice.
 */
"use strict";

(() => {
	const root = document.documentElement;
	const dark = matchMedia("(prefers-color-scheme: dark)");
	const toggle = document.getElementById("theme");
	const ROLES = 5; /* colours with a meaning; then those of a series */
	const SERIES = 8;
	let chosen = ""; /* by the person; else what the system has */
	let charts = [];

	const style = (name) => getComputedStyle(root).getPropertyValue(name).trim();

	function colour(number) {
		return number < ROLES ? style(`--c${number}`) :
			style(`--s${(number - ROLES) % SERIES}`);
	}

	/* Texts of ticks. */

	const SECONDS = [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]];
	const LARGE = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""]];

	function scaled(value, steps) {
		const step = steps.find(([size]) => Math.abs(value) >= size * 0.9999) ||
			steps[steps.length - 1];

		return `${+(value / step[0]).toPrecision(4)} ${step[1]}`.trim();
	}

	function tickText(value, unit) {
		if (value === 0)
			return "0";
		if (unit === "%")
			return `${+value.toPrecision(4)} %`;
		if (unit === "s" && Math.abs(value) < 1000)
			return scaled(value, SECONDS);
		if (unit === "B/s" || unit === "1/s" || unit === "#" || unit === "s")
			return scaled(value, LARGE) + (unit === "#" ? "" :
				unit === "1/s" ? "/s" : unit);
		return String(+value.toPrecision(6));
	}

	/* A logarithmic axis begins at the 1, 2 or 5 of a decade below all. */
	function logStart(values) {
		const least = Math.min(...values.filter((value) => value > 0));
		const decade = 10 ** Math.floor(Math.log10(least) + 1e-9);

		return isFinite(least) ? decade * [5, 2, 1].find((digit) =>
			digit * decade <= least * (1 + 1e-9)) : undefined;
	}

	/* On it: 1, 2, 5 of each decade where there is room. */
	function logText(value, unit, span) {
		const digit = Math.round(value / 10 ** Math.floor(Math.log10(value) + 1e-9));

		if (digit === 1 || (span < 100 && (digit === 2 || digit === 5)))
			return tickText(value, unit);
		return "";
	}

	function axis(spec, which) {
		const unit = spec[`${which}Unit`], title = spec[`${which}Title`];
		const log = spec[`${which}Log`];

		return {
			type: log ? "logarithmic" : "linear",
			beginAtZero: !log,
			suggestedMax: unit === "%" ? 100 : undefined,
			min: log ? logStart(spec.series.flatMap((series) =>
				series.items.map((item) => item[which]))) : undefined,
			max: unit === "%" && spec.kind === "stacked" ? 100 : undefined,
			title: { display: title !== "", text: title, color: style("--soft") },
			grid: { color: style("--line"), borderColor: style("--line") },
			ticks: {
				color: style("--soft"),
				maxRotation: 0,
				autoSkipPadding: 12,
				callback(value) {
					return log ? logText(value, unit, this.max / this.min) :
						tickText(value, unit);
				},
			},
		};
	}

	function names(spec) {
		return {
			stacked: spec.kind === "stacked",
			grid: { display: false, borderColor: style("--line") },
			ticks: { color: style("--ink"), autoSkip: false },
		};
	}

	/* A vertical line with its word, for marks. */
	const marks = {
		id: "marks",
		afterDatasetsDraw(chart, _, options) {
			const { ctx, chartArea: area, scales: { x } } = chart;

			for (const [index, mark] of (options.list || []).entries()) {
				const at = x.getPixelForValue(mark.x);
				const left = at > (area.left + area.right) / 2;

				ctx.save();
				ctx.strokeStyle = ctx.fillStyle = options.ink;
				ctx.setLineDash([4, 4]);
				ctx.beginPath();
				ctx.moveTo(at, area.top);
				ctx.lineTo(at, area.bottom);
				ctx.stroke();
				ctx.textAlign = left ? "right" : "left";
				ctx.fillText(mark.text, at + (left ? -6 : 6), area.top + 12 + 14 * index);
				ctx.restore();
			}
		},
	};

	function dataset(series, curves) {
		const tint = colour(series.colour);

		return {
			label: series.name,
			data: curves ? series.items : series.items.map((item) => item.value),
			texts: series.items.map((item) => item.text),
			backgroundColor: tint,
			borderColor: tint,
			borderWidth: curves ? 2 : 0,
			pointRadius: series.items.length > 30 ? 0 : 3,
			pointHitRadius: 10,
			maxBarThickness: 26,
			tension: 0,
		};
	}

	function options(spec) {
		const curves = spec.kind === "curves";
		const value = axis(spec, "x");

		if (spec.kind === "stacked")
			value.stacked = true;
		return {
			animation: false,
			responsive: true,
			maintainAspectRatio: false,
			indexAxis: curves ? "x" : "y",
			interaction: { mode: "nearest", intersect: curves },
			scales: {
				x: value,
				y: curves ? axis(spec, "y") : names(spec),
			},
			plugins: {
				legend: {
					display: spec.series.length > 1,
					position: "bottom",
					align: "start",
					labels: {
						color: style("--ink"),
						boxWidth: 12,
						boxHeight: curves ? 2 : 12,
					},
				},
				tooltip: {
					callbacks: {
						title: (items) => curves ? "" : items[0].label,
						label: (item) => `${item.dataset.label}: ` +
							item.dataset.texts[item.dataIndex] +
							(!curves && spec.xUnit === "%" ? " %" : ""),
					},
				},
				marks: { list: spec.marks, ink: style("--ink") },
			},
		};
	}

	/* Bars get the height that they need. */
	function makeRoom(figure, spec) {
		const bars = Number(figure.dataset.bars);
		const each = spec.kind === "stacked" ? 34 : bars > 12 ? 13 : 22;
		const gaps = spec.kind === "bars" ? spec.labels.length * 8 : 0;

		if (bars)
			figure.querySelector(".plot").style.height =
				`${bars * each + gaps + 96}px`;
	}

	function draw(figure) {
		const spec = JSON.parse(figure.querySelector("script").textContent);

		makeRoom(figure, spec);
		charts.push(new Chart(figure.querySelector("canvas"), {
			type: spec.kind === "curves" ? "line" : "bar",
			data: {
				labels: spec.kind === "curves" ? undefined : spec.labels,
				datasets: spec.series.map((series) =>
					dataset(series, spec.kind === "curves")),
			},
			options: options(spec),
			plugins: [marks],
		}));
		figure.dataset.drawn = "yes";
	}

	function drawAll(theme) {
		charts.forEach((chart) => chart.destroy());
		charts = [];
		root.dataset.theme = theme;
		toggle.textContent = theme === "dark" ? "Light" : "Dark";
		Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
		Chart.defaults.font.size = innerWidth < 576 ? 11 : 12;
		document.querySelectorAll("figure.chart").forEach(draw);
	}

	const theme = () => chosen || (dark.matches ? "dark" : "light");

	toggle.hidden = false;
	toggle.addEventListener("click", () => {
		chosen = theme() === "dark" ? "light" : "dark";
		drawAll(theme());
	});
	dark.addEventListener("change", () => drawAll(theme()));

	/* Paper is light, and shows what is folded away. */
	let folded = [];
	addEventListener("beforeprint", () => {
		folded = [...document.querySelectorAll("details:not([open])")];
		folded.forEach((part) => { part.open = true; });
		root.classList.add("paper");
		drawAll("light");
	});
	addEventListener("afterprint", () => {
		folded.forEach((part) => { part.open = false; });
		root.classList.remove("paper");
		drawAll(theme());
	});

	const result = document.getElementById("result");
	const save = document.getElementById("save");

	if (result && save) {
		save.href = URL.createObjectURL(new Blob([result.textContent],
			{ type: "application/json" }));
		save.download = "result.json";
		save.hidden = false;
	}
	drawAll(theme());
})();
