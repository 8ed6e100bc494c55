// Judges a history of promo codes with Porcupine: each code of each user must behave as if one call
// happened after the other.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/anishathalye/porcupine"
)

const timeout = 2 * time.Minute

type verdict struct {
	Codes     int   `json:"codes"`
	Violated  []key `json:"violated"`
	Undecided []key `json:"undecided"`
	// Pictures has an HTML file for each violated code.
	Pictures []string `json:"pictures"`
}

func main() {
	if len(os.Args) != 3 {
		exit(fmt.Errorf("usage: judge HISTORY FOLDER"))
	}
	records, err := readHistory(os.Args[1])
	if err != nil {
		exit(err)
	}
	result, err := judge(records, os.Args[2])
	if err != nil {
		exit(err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(result); err != nil {
		exit(err)
	}
}

// judge judges each code, and draws those that violate the model into the folder.
func judge(records []record, folder string) (verdict, error) {
	result := verdict{Violated: []key{}, Undecided: []key{}, Pictures: []string{}}
	operations, err := operationsOf(records)
	if err != nil {
		return result, err
	}
	result.Codes = len(operations)
	deterministic := model.ToModel()
	for k, ofCode := range operations {
		switch check, info := porcupine.CheckOperationsVerbose(deterministic, ofCode, timeout); check {
		case porcupine.Unknown:
			result.Undecided = append(result.Undecided, k)
		case porcupine.Illegal:
			picture := filepath.Join(folder, fmt.Sprintf("violation-%d.html", len(result.Violated)+1))
			if err := porcupine.VisualizePath(deterministic, info, picture); err != nil {
				return result, err
			}
			result.Violated = append(result.Violated, k)
			result.Pictures = append(result.Pictures, picture)
		}
	}
	return result, nil
}

func exit(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(2)
}
